import { ContactDialog, LocationDialog, PollDialog, type Given } from './attach-dialogs.tsx';
import { TemplateDialog } from './template-dialog.tsx';

const dialogs = { location: LocationDialog, contact: ContactDialog, poll: PollDialog, template: TemplateDialog };

/** What is sent by a dialog of its own. */
export type Asking = keyof typeof dialogs;

/** The dialog of what is being sent. */
export function SendingDialog({ asking, ...given }: Given & { readonly asking: Asking }) {
  const Shown = dialogs[asking];
  return <Shown {...given} />;
}
