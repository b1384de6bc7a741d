/** Where the service is: the page's own `<base>`, without the slash at its end. */
export const BASE_URL = document.baseURI.replace(/\/+$/, '')

/** What stands before every path of the service: `server.base_path`, else nothing. */
export const BASE_PATH = new URL(BASE_URL).pathname.replace(/\/+$/, '')
