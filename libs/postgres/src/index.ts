export { freePort } from './free-port.ts';
export { OtherPassword } from './other-password.ts';
export { startPostgres } from './server.ts';
export type { PostgresServer, ServerOptions } from './server.ts';
