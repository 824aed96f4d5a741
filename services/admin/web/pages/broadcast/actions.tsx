import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { draftOf, updateRequest } from '../../broadcasts/draft.ts';
import { BroadcastFields } from '../../broadcasts/fields.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { momentIn } from '../../kit/moment.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';

type Broadcast = AnswerOf<'GetBroadcast'>;
interface Given {
  readonly broadcast: Broadcast;
  /** Called once something was done, when the shown broadcast is no longer true. */
  readonly onDone: () => void;
}

/** Actions on a broadcast, as it stands and as the role allows. */
export function BroadcastActions({ broadcast, onDone }: Given) {
  const t = useTexts(texts);
  const may = useMay();
  const say = useSay();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'start' | 'schedule' | 'cancel' | 'edit' | 'remove'>();
  const pausing = useWrite('PauseBroadcast');
  const resuming = useWrite('ResumeBroadcast');
  const request = { params: { id: broadcast.id } };
  const { status } = broadcast;
  const isWaiting = status === 'draft' || status === 'scheduled';
  const isGoing = status === 'running' || status === 'paused';
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    say(t('done'));
    onDone();
  };
  const act = async ({ write }: typeof pausing | typeof resuming) => {
    if (await write(request)) done();
  };
  const problem = pausing.problem ?? resuming.problem;
  const mayRun = may('broadcast:execute');
  return (
    <>
      {problem && <ProblemAlert problem={problem} />}
      {mayRun && isWaiting && (
        <>
          <Button kind="primary" icon="play" onClick={() => setOpen('start')}>
            {t('start')}
          </Button>
          <Button icon="clock" onClick={() => setOpen('schedule')}>
            {t('schedule')}
          </Button>
        </>
      )}
      {mayRun && status === 'running' && (
        <Button icon="pause" busy={pausing.isBusy} onClick={() => void act(pausing)}>
          {t('pause')}
        </Button>
      )}
      {mayRun && status === 'paused' && (
        <Button kind="primary" icon="play" busy={resuming.isBusy} onClick={() => void act(resuming)}>
          {t('resume')}
        </Button>
      )}
      {mayRun && (isGoing || status === 'scheduled') && (
        <Button icon="ban" onClick={() => setOpen('cancel')}>
          {t('cancel')}
        </Button>
      )}
      {may('broadcast:create') && isWaiting && (
        <Button icon="edit" onClick={() => setOpen('edit')}>
          {t('edit')}
        </Button>
      )}
      {may('broadcast:delete') && status !== 'running' && (
        <Button icon="trash" onClick={() => setOpen('remove')}>
          {t('remove')}
        </Button>
      )}
      {open === 'start' && (
        <ConfirmDialog
          title={t('start')}
          submit={t('start')}
          operation="StartBroadcast"
          request={request}
          onClose={close}
          onDone={done}
        >
          {t('startText')}
        </ConfirmDialog>
      )}
      {open === 'edit' && <EditDialog broadcast={broadcast} onClose={close} onDone={done} />}
      {open === 'schedule' && <ScheduleDialog id={broadcast.id} onClose={close} onDone={done} />}
      {open === 'cancel' && (
        <ConfirmDialog
          title={t('cancel')}
          submit={t('cancel')}
          operation="CancelBroadcast"
          request={request}
          onClose={close}
          onDone={done}
        >
          {t('cancelText')}
        </ConfirmDialog>
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('remove')}
          typedName={broadcast.name}
          operation="DeleteBroadcast"
          request={request}
          rereads={['ListBroadcasts']}
          onClose={close}
          said={t('done')}
          onDone={() => void navigate({ to: '/broadcasts' })}
        >
          {t('removeText')}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Changes one that has not begun. */
function EditDialog({ broadcast, onClose, onDone }: Given & { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const fields = useFields(draftOf(broadcast));
  return (
    <WriteDialog
      title={t('edit')}
      submit={t('save')}
      operation="UpdateBroadcast"
      request={updateRequest(broadcast, fields.values)}
      onClose={onClose}
      onDone={onDone}
    >
      <BroadcastFields {...fields} profileId={broadcast.profileId} />
    </WriteDialog>
  );
}

interface ScheduleGiven {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ScheduleDialog({ id, onClose, onDone }: ScheduleGiven) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ scheduledAt: '' });
  return (
    <WriteDialog
      title={t('schedule')}
      submit={t('schedule')}
      operation="ScheduleBroadcast"
      request={{ params: { id }, body: { scheduledAt: momentIn(values.scheduledAt) } }}
      onClose={onClose}
      onDone={onDone}
    >
      <TextField label={t('when')} hint={t('whenHint')} type="datetime-local" {...bind('scheduledAt')} />
    </WriteDialog>
  );
}
