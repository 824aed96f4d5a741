import {
  ContactUpdated,
  CreateSuppression,
  DeleteSuppression,
  ExportSuppressionsCsv,
  GetOptOutSettings,
  ImportSuppressionsCsv,
  ListSuppressed,
  ListSuppressions,
  MessageReceived,
  MessageRecovered,
  MessageSent,
  UpdateOptOutSettings,
} from '@messaging-gateway/contracts';
import { answer, feature, internalOperation, operation, reaction, type ServiceTools } from '@messaging-gateway/service';
import { suppressionsMigration } from './20261123030000-suppressions.migration.ts';
import { numberFormsMigration } from './20261129010000-number-forms.migration.ts';
import { createSuppression, deleteSuppression } from './changing.ts';
import { hearOfContact } from './contact-news.ts';
import { DigestKeys, digestKeyStream } from './digests.ts';
import { exportCsv } from './exporting.ts';
import { storeNumberForm } from './number-forms.ts';
import { recordOptOut } from './opt-out.ts';
import { importCsv } from './importing.ts';
import { suppressionList } from './listed.ts';
import { listSuppressions } from './listing.ts';
import { getOptOutSettings, optOutSettingsStream, OptOutWords, updateOptOutSettings } from './opt-out-settings.ts';
import { suppressionsHeld } from './personal-data.ts';
import { suppressionStream } from './suppression.ts';
import { SuppressionEntity, suppressionsView } from './suppressions-view.ts';

/** People to whom nothing goes that is sent to many: put on the list by hand, by files and by their own word. */
export const suppressions = feature({
  name: 'suppressions',
  streams: [suppressionStream, digestKeyStream, optOutSettingsStream],
  views: [suppressionsView],
  entities: [SuppressionEntity],
  migrations: [suppressionsMigration, numberFormsMigration],
  connect: (given: ServiceTools<unknown>) => {
    const keys = new DigestKeys(given.store);
    const tools = { ...given, keys, words: new OptOutWords(given) };
    const list = suppressionList(tools);
    return {
      api: list,
      rows: [
        internalOperation(ListSuppressed, async ({ organizationId, people }) => ({
          suppressed: await list.suppressed(organizationId, people),
        })),
        operation(ListSuppressions, listSuppressions),
        operation(CreateSuppression, (input) => createSuppression(tools, input)),
        operation(DeleteSuppression, (input) => deleteSuppression(tools, input).then(() => answer(204))),
        operation(ImportSuppressionsCsv, (input) => importCsv(tools, input)),
        operation(ExportSuppressionsCsv, exportCsv),
        operation(GetOptOutSettings, (input) => getOptOutSettings(tools, input)),
        operation(UpdateOptOutSettings, (input) => updateOptOutSettings(tools, input)),
      ],
      hears: [
        reaction(MessageReceived, (_, event) => recordOptOut(tools, event)),
        reaction(MessageRecovered, (_, event) => recordOptOut(tools, event)),
        reaction(MessageSent, (_, event) => storeNumberForm(tools, event)),
        reaction(ContactUpdated, (_, event) => hearOfContact(tools, event)),
      ],
      personalData: suppressionsHeld(keys),
    };
  },
});
