import type { StepContext } from '../step.ts';

/**
 * Variables that a bot is told when a session begins, by their names: those of the same name are filled. Of the
 * contact's metadata each text, number and boolean is `metadata.<key>`.
 */
export async function variablesOf(context: StepContext): Promise<Readonly<Record<string, unknown>>> {
  const { chat, profileId, conversationId, message } = context;
  const { contactId, name, pushName, phone, lid, tags, metadata } = await context.person();
  const known = {
    name: name ?? pushName ?? message?.pushName,
    pushName: pushName ?? message?.pushName,
    phone,
    lid,
    contactId,
    remoteJid: chat,
    profileId,
    conversationId,
    message: message?.body,
    messageType: message?.type,
    tags: tags.length === 0 ? undefined : [...tags],
  };
  const further = Object.entries(metadata)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([key, value]) => [`metadata.${key}`, value]);
  return Object.fromEntries([
    ...Object.entries(known).filter(([, value]) => value !== undefined && value !== null),
    ...further,
  ]) as Record<string, unknown>;
}
