import type { ServiceTools } from '@messaging-gateway/service';
import type { Answerers } from '../answerers/handling.ts';
import type { AutomationSettings } from '../config.ts';

/** Parts that handlers of flows work with. */
export type FlowTools = ServiceTools<AutomationSettings> & { readonly answerers: Answerers };
