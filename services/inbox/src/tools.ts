import type { ServiceTools } from '@messaging-gateway/service';
import type { WaitingChanges } from './change/waiting-changes.ts';
import type { InboxSettings } from './config.ts';
import type { Acquaintances } from './contact/acquaintances.ts';
import type { AddressBook } from './conversation/address-book.ts';
import type { DoomedMedia } from './media/doomed-media.ts';
import type { OwnNumbers } from './own-numbers.ts';

/** Tools of the inbox' handlers. */
export interface InboxTools extends ServiceTools<InboxSettings> {
  readonly ownNumbers: OwnNumbers;
  readonly addressBook: AddressBook;
  readonly acquaintances: Acquaintances;
  readonly doomedMedia: DoomedMedia;
  readonly waitingChanges: WaitingChanges;
}
