import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Select } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import type { Conversation } from '../../messages/shapes.ts';
import { KeptConversations } from './kept-conversations.ts';
import { texts } from './texts.ts';

/** Names of the timers that phones offer, by seconds. */
export const timerNames = {
  0: 'timerOff',
  86_400: 'timerDay',
  604_800: 'timerWeek',
  7_776_000: 'timerQuarter',
} as const;
type Seconds = keyof typeof timerNames;

export const isTimer = (seconds: number): seconds is Seconds => seconds in timerNames;

const timers: readonly Seconds[] = [0, 86_400, 604_800, 7_776_000];

interface Props {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

/** Sets after how long new messages of a conversation disappear on phones. */
export function DisappearingDialog({ conversation, onClose }: Props) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const [seconds, setSeconds] = useState(String(conversation.disappearAfterSeconds ?? 0));
  const chosen = timers.find((timer) => String(timer) === seconds) ?? 0;
  return (
    <WriteDialog
      title={t('disappearing')}
      submit={t('setTimer')}
      operation="SetDisappearing"
      request={{ params: { id: conversation.id }, body: { seconds: chosen } }}
      said={t('done')}
      onClose={onClose}
      onDone={(answer) => {
        void new KeptConversations(client).take(async () => answer);
        onClose();
      }}
    >
      <Select
        name="seconds"
        label={t('disappearAfter')}
        hint={t('disappearingHint')}
        value={seconds}
        onValue={setSeconds}
        choices={timers.map((timer) => ({ value: String(timer), label: t(timerNames[timer]) }))}
      />
    </WriteDialog>
  );
}
