export { catalogueCheck } from './catalogue-check.ts';
export { callAsGateway } from './calling.ts';
export { schemaMatches } from './schema-matches.ts';
export { testService } from './test-service.ts';
export type { CallOptions, TestService, TestServiceOptions } from './test-service.ts';
export { testCaller } from './test-caller.ts';
export { testEncryption } from './test-host.ts';
