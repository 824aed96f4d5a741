import type { DeleteMessage } from '@messaging-gateway/contracts';
import type { InputOf } from '@messaging-gateway/service';
import { assertProfileAllowed } from '@messaging-gateway/service';
import { askedBy } from '../fact.ts';
import type { MessageTools } from './tools.ts';
import { messageStream } from './message.ts';
import { findMessage } from './reading.ts';

/** Deletes a message here. Its row stays behind without content, so that the network's history does not bring it back. */
export async function removeMessage(
  tools: MessageTools,
  { params, caller, context }: InputOf<typeof DeleteMessage>,
): Promise<void> {
  const { id: messageId, profile_id: profileId } = await findMessage(tools, params.id, caller.organizationId);
  assertProfileAllowed(caller, profileId);
  await tools.doomedMedia.note(messageId);
  await tools.store.handle(
    messageStream,
    messageId,
    { type: 'Remove', messageId },
    { metadata: askedBy(caller, context, profileId), onAppended: context.appended },
  );
  tools.doomedMedia.wake();
}
