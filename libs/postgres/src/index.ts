export { freePort } from './free-port.ts';
export { startPostgres } from './server.ts';
export type { PostgresServer, ServerOptions } from './server.ts';
