import { event } from '../../contract.ts';
import { Count, closed } from '../../shapes.ts';

export const IntegrationsChanged = event({
  type: 'integrations.changed',
  version: 1,
  owner: 'identity',
  visibility: 'internal',
  means:
    'What an organization has set for other products was changed: whoever needs it asks for it (`ReadIntegrations`).',
  data: closed({ version: { ...Count, description: 'Counts the changes' } }),
  example: { version: 3 },
});
