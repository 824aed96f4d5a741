import type { Fact } from '../engine/engine.ts';

/** The addresses of the chat whose order a fact keeps; none for what belongs to no chat, or to its past. */
export function chatNamesOf(fact: Fact): readonly string[] {
  switch (fact.kind) {
    case 'message':
    case 'change': {
      const { chat, delivery } = fact.data;
      if (delivery === 'history') return [];
      return chat.lid === undefined || chat.lid === chat.jid ? [chat.jid] : [chat.jid, chat.lid];
    }
    case 'group':
    case 'participants':
      return [fact.data.id];
    case 'receipt':
    case 'group-named':
      return [];
  }
}
