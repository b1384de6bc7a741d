import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { startTlsMysql } from '../support/databases/tls/tls-mysql.ts'
import { describeTls } from './describe-mysql-tls.ts'

const programs = programsOf('mysql')

describeTls('MySQL', programs === undefined ? undefined : () => startTlsMysql(programs))
