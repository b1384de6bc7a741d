import { programsOf } from '../support/programs-at-hand.ts'
import { startTlsMysql } from '../support/tls-mysql.ts'
import { describeTls } from '../support/tls-mysql-tests.ts'

const programs = programsOf('mysql')

describeTls('MySQL', programs === undefined ? undefined : () => startTlsMysql(programs))
