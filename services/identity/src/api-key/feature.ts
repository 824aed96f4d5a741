import { CreateApiKey, DeleteApiKey, ListApiKeys } from '@messaging-gateway/contracts';
import { feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { apiKeyStream } from './api-key.ts';
import { ApiKeyRow, apiKeysView } from './api-keys-view.ts';
import { createApiKey } from './creating.ts';
import { listApiKeys } from './listing.ts';
import { revokeApiKey } from './revoking.ts';

/** API keys: credentials of programs, with no more than their maker may do. */
export const apiKeys = feature({
  name: 'api keys',
  streams: [apiKeyStream],
  views: [apiKeysView],
  entities: [ApiKeyRow],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      operation(CreateApiKey, (input) => createApiKey(tools, input)),
      operation(ListApiKeys, (input) => listApiKeys(input)),
      operation(DeleteApiKey, (input) => revokeApiKey(tools, input)),
    ],
  }),
});
