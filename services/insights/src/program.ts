import { runDistributed } from '@messaging-gateway/service/distributed';
import { insightsSettings } from './config.ts';
import { insights } from './index.ts';

await runDistributed({ module: insights }, insightsSettings);
