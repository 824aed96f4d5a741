import { useState } from 'react';
import { secretIn } from '../kit/secret-field.tsx';
import { WriteDialog } from '../kit/write-dialog.tsx';
import { useTexts } from '../language/language.tsx';
import { commonWords } from '../words/common.ts';
import { bodyOf, draftOf, type Flow } from './draft.ts';
import { FlowFields } from './flow-form.tsx';
import { texts } from './texts.ts';

interface CreateGiven {
  readonly profileId: string;
  readonly onClose: () => void;
  readonly onMade: (flow: Flow) => void;
}

export function CreateFlowDialog({ profileId, onClose, onMade }: CreateGiven) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const [draft, setDraft] = useState(() => draftOf());
  const { secret } = draft;
  const request = { body: { profileId, ...bodyOf(draft), ...(typeof secret === 'string' && { secret }) } };
  return (
    <WriteDialog
      wide
      title={t('create')}
      submit={common('createIt')}
      operation="CreateFlow"
      request={request}
      rereads={['ListFlows']}
      said={common('created')}
      onClose={onClose}
      onDone={onMade}
    >
      <FlowFields draft={draft} onChange={(changed) => setDraft((now) => ({ ...now, ...changed }))} />
    </WriteDialog>
  );
}

export function EditFlowDialog({ flow, onClose }: { readonly flow: Flow; readonly onClose: () => void }) {
  const common = useTexts(commonWords);
  const [draft, setDraft] = useState(() => draftOf(flow));
  const request = { params: { id: flow.id }, body: { ...bodyOf(draft), ...secretIn('secret', draft.secret) } };
  return (
    <WriteDialog
      wide
      title={common('edit')}
      submit={common('save')}
      operation="UpdateFlow"
      request={request}
      rereads={['ListFlows', 'GetFlow']}
      said={common('saved')}
      onClose={onClose}
    >
      <FlowFields draft={draft} onChange={(changed) => setDraft((now) => ({ ...now, ...changed }))} />
    </WriteDialog>
  );
}
