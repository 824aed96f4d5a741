import type { ServiceTools } from '@messaging-gateway/service';
import type { InboxSettings } from '../config.ts';

/** Tools of the handlers of contacts. */
export type ContactTools = ServiceTools<InboxSettings>;
