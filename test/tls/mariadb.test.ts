import { programsOf } from '../support/programs-at-hand.ts'
import { startTlsMariadb } from '../support/tls-mysql.ts'
import { describeTls } from '../support/tls-mysql-tests.ts'

const programs = programsOf('mariadb')

describeTls('MariaDB', programs === undefined ? undefined : () => startTlsMariadb(programs))
