import { useAsk } from '../../api/asking.ts';
import { useMay } from '../../session/me.tsx';
import { pushNames } from './live-inbox.ts';
import { numberOf, type Conversation, type Message } from '../../messages/shapes.ts';

/**
 * Names of those who write in a group: the contact's, else the one that they gave on the network, else the number. In a chat
 * of two nobody has to be named.
 */
export function useAuthors({ type, jid, profileId }: Conversation): (message: Message) => string | undefined {
  const may = useMay();
  const isGroup = type === 'group';
  const { data: contacts } = useAsk(
    'ListContacts',
    { query: { profileId, limit: 200 } },
    { when: isGroup && may('contact:read') },
  );
  const { data: group } = useAsk(
    'GetGroup',
    { params: { groupId: jid }, query: { profileId } },
    { when: isGroup && may('group:read'), staleTime: 600_000 },
  );
  if (!isGroup) return () => undefined;
  return ({ direction, author }) => {
    if (direction === 'outgoing' || author === undefined) return undefined;
    const member = group?.participants.find(({ id }) => id === author);
    const phone = author.endsWith('@c.us') ? author.slice(0, -'@c.us'.length) : member?.phone;
    const contact = contacts?.items.find((one) => one.lid === author || (phone !== undefined && one.phone === phone));
    const names = [contact?.name, contact?.pushName, pushNames.get(author), member?.pushName];
    return names.find((name) => typeof name === 'string' && name !== '') ?? (phone ? `+${phone}` : numberOf(author));
  };
}
