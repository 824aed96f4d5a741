// A gateway in a process of its own whose owner of things never answers: for tests that kill it.
// Arguments: database URL, organization, `alone` or `replica`.
import { startTestGateway } from './test-gateway.ts';

const [databaseUrl = '', organizationId = '', alone = 'alone'] = process.argv.slice(2);
const gateway = await startTestGateway({ databaseUrl, options: { alone: alone === 'alone' } });
await gateway.own('CreateThing', ({ resourceId }) => {
  process.send?.({ reached: resourceId });
  return new Promise(() => undefined);
});
const { token } = gateway.identity.signIn(gateway.clock, { organizationId, permissions: ['message:send'] });
process.send?.({ url: gateway.url, token });
