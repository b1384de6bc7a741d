import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { startTlsMariadb } from '../support/databases/tls/tls-mysql.ts'
import { describeTls } from './describe-mysql-tls.ts'

const programs = programsOf('mariadb')

describeTls('MariaDB', programs === undefined ? undefined : () => startTlsMariadb(programs))
