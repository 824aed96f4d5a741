import type { PersonalItems, Whose } from '@messaging-gateway/service';
import { preferencesStream } from '../preferences/preferences.ts';
import { getIntegrations } from '../settings/integrations.ts';
import { getSmtp } from '../settings/smtp.ts';
import { getStorage } from '../settings/storage.ts';
import type { IdentityTools } from '../tools.ts';

/** Data of identity in streams without a table: preferences of the user, settings of the organization without secrets. */
export async function readOwnDocuments(
  tools: IdentityTools,
  { userId, organizationId, wholeOrganization }: Whose,
): Promise<PersonalItems> {
  const items = [{ section: 'preferences', item: (await tools.store.load(preferencesStream, userId)).state as object }];
  if (wholeOrganization) {
    const of = { caller: { organizationId } };
    items.push(
      { section: 'smtpSettings', item: await getSmtp(tools, of) },
      { section: 'storageSettings', item: await getStorage(tools, of) },
      { section: 'integrations', item: await getIntegrations(tools, of) },
    );
  }
  return { items, nextCursor: null };
}
