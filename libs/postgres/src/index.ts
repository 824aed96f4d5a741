export { startPostgres } from './server.ts';
export type { PostgresServer, ServerOptions } from './server.ts';
