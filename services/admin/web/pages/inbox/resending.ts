import type { Composed } from './outgoing.ts';
import type { Message } from '../../messages/shapes.ts';

/** A stored message that failed, composed anew; undefined for what cannot be sent again as it is. */
export function again({ profileId, content, to: wasTo, quotedMessageId }: Message, jid: string): Composed | undefined {
  const to = wasTo ?? jid;
  const reach = { profileId, to, ...(quotedMessageId !== null && { quotedMessageId }) };
  const composed = (operation: Composed['operation'], fields: object): Composed => ({
    operation,
    request: { body: { ...reach, ...fields } },
    content,
  });
  switch (content.type) {
    case 'text':
      return composed('SendText', { text: content.text });
    case 'image':
    case 'video':
      return content.url === undefined
        ? undefined
        : composed(content.type === 'image' ? 'SendImage' : 'SendVideo', {
            url: content.url,
            ...(content.caption !== undefined && { caption: content.caption }),
          });
    case 'audio':
      return content.url === undefined
        ? undefined
        : composed('SendAudio', { url: content.url, ...(content.ptt === true && { ptt: true }) });
    case 'document':
      return content.url === undefined
        ? undefined
        : composed('SendDocument', {
            url: content.url,
            filename: content.filename ?? 'document',
            ...(content.caption !== undefined && { caption: content.caption }),
          });
    case 'location': {
      const { latitude, longitude, name, address } = content;
      return composed('SendLocation', {
        latitude,
        longitude,
        ...(name !== undefined && { name }),
        ...(address !== undefined && { address }),
      });
    }
    case 'contact':
      return composed('SendContact', { contacts: content.contacts });
    case 'poll': {
      const { question, options, allowMultiple } = content;
      return composed('SendPoll', { question, options, ...(allowMultiple === true && { allowMultiple }) });
    }
    default:
      return undefined;
  }
}
