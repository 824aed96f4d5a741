import type { GoingOn, ServiceTools } from '@messaging-gateway/service';
import type { InboxSettings } from '../config.ts';

/** Tools of the handlers of contacts. */
export type ContactTools = ServiceTools<InboxSettings>;

/** Of the handlers of imports. */
export interface ImportTools extends ContactTools {
  /** So many contacts of an import were taken in. */
  readonly imported: (theImport: GoingOn) => void;
}
