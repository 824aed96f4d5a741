import type { BaileysEventMap, WASocket } from '@whiskeysockets/baileys';

export type HistoryPart = BaileysEventMap['messaging-history.set'];

/**
 * Hears of each part of the history as it comes. The library holds its event back, makes one of several, which has the
 * last one's request only, and leaves out chats and messages that were in a part before.
 */
export function onHistory({ ev }: WASocket, take: (part: HistoryPart) => void): void {
  const emit = ev.emit.bind(ev);
  ev.emit = (event, data) => {
    if (event === 'messaging-history.set') take(data as HistoryPart);
    return emit(event, data);
  };
}
