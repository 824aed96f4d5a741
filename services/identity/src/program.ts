import { runDistributed } from '@messaging-gateway/service/distributed';
import { identitySettings } from './config.ts';
import { identity } from './index.ts';

await runDistributed({ module: identity }, identitySettings);
