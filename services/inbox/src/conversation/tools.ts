import type { ServiceTools } from '@messaging-gateway/service';
import type { InboxSettings } from '../config.ts';
import type { DoomedMedia } from '../message/doomed-media.ts';

/** Tools of the handlers of conversations. */
export interface ConversationTools extends ServiceTools<InboxSettings> {
  readonly doomedMedia: Pick<DoomedMedia, 'wake'>;
}
