import type { UpdatePreferences } from '@messaging-gateway/contracts';
import type { InputOf, OperationInput } from '@messaging-gateway/service';
import { aboutUser } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { preferencesStream, type Preferences } from './preferences.ts';

/** Notifications that the user of the request wants. */
export async function readPreferences(tools: IdentityTools, { caller }: OperationInput<unknown>): Promise<Preferences> {
  return (await tools.store.load(preferencesStream, caller.userId)).state;
}

export async function updatePreferences(
  tools: IdentityTools,
  { body, caller, context }: InputOf<typeof UpdatePreferences>,
): Promise<Preferences> {
  const { userId, organizationId } = caller;
  const metadata = aboutUser(userId, organizationId, context);
  const change = { type: 'Change', userId, wanted: body } as const;
  const options = { metadata, onAppended: context.appended };
  return (await tools.store.handle(preferencesStream, userId, change, options)).state;
}
