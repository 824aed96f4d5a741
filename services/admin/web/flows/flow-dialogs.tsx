import { useState } from 'react';
import { useWrite } from '../api/asking.ts';
import { FormDialog } from '../kit/form.tsx';
import { useSay } from '../kit/say.tsx';
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
  const say = useSay();
  const [draft, setDraft] = useState(() => draftOf());
  const { write, problem, isBusy } = useWrite('CreateFlow', 'ListFlows');
  const request = { body: { profileId, ...bodyOf(draft) } };
  return (
    <FormDialog
      wide
      title={t('create')}
      submit={common('createIt')}
      onClose={onClose}
      onSubmit={async () => {
        const made = await write(request);
        if (made === undefined) return;
        say(common('created'));
        onMade(made.answer);
      }}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'CreateFlow', request }}
    >
      <FlowFields draft={draft} onChange={(changed) => setDraft((now) => ({ ...now, ...changed }))} />
    </FormDialog>
  );
}

export function EditFlowDialog({ flow, onClose }: { readonly flow: Flow; readonly onClose: () => void }) {
  const common = useTexts(commonWords);
  const say = useSay();
  const [draft, setDraft] = useState(() => draftOf(flow));
  const { write, problem, isBusy } = useWrite('UpdateFlow', 'ListFlows', 'GetFlow');
  const request = { params: { id: flow.id }, body: bodyOf(draft) };
  return (
    <FormDialog
      wide
      title={common('edit')}
      submit={common('save')}
      onClose={onClose}
      onSubmit={async () => {
        if (!(await write(request))) return;
        say(common('saved'));
        onClose();
      }}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'UpdateFlow', request }}
    >
      <FlowFields draft={draft} onChange={(changed) => setDraft((now) => ({ ...now, ...changed }))} />
    </FormDialog>
  );
}
