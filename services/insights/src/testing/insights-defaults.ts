import { readSettings } from '@messaging-gateway/runtime';
import { insightsSettings } from '../config.ts';

/** Settings as they are where nothing is set. */
export const insightsDefaults = readSettings(insightsSettings, {});
