import type { AnswerOf, OperationName, RequestOf } from '../../api/operations.ts';
import type { ReactNode } from 'react';
import { Checkbox, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { composerTexts } from './texts.ts';

interface To {
  readonly profileId: string;
  readonly to: string;
  readonly quotedMessageId?: string;
}

/** Told the message that came of it. */
export type OnSent = (messageId: string) => void;

export interface Given {
  readonly to: To;
  readonly onClose: () => void;
  readonly onSent: OnSent;
}

type SendName = Extract<OperationName, 'SendLocation' | 'SendContact' | 'SendPoll' | 'SendTemplate'>;

interface SendDialogGiven<N extends SendName> {
  readonly title: string;
  readonly name: N;
  readonly request: RequestOf<N>;
  readonly given: Given;
  readonly children: ReactNode;
}

/** A dialog that sends one message: what is wrong with its fields is said there, before it is in the chat. */
export function SendDialog<N extends SendName>({ title, name, request, given, children }: SendDialogGiven<N>) {
  const t = useTexts(composerTexts);
  return (
    <WriteDialog
      title={title}
      submit={t('send')}
      operation={name}
      request={request}
      onClose={given.onClose}
      onDone={(answer) => {
        given.onSent((answer as AnswerOf<'SendLocation'>).messageId);
        given.onClose();
      }}
    >
      {children}
    </WriteDialog>
  );
}

const optional = <K extends string>(name: K, value: string): { readonly [P in K]?: string } =>
  (value.trim() === '' ? {} : { [name]: value.trim() }) as { readonly [P in K]?: string };

/** A number as it was typed, with a comma too; what is none is the server's to refuse. */
const degrees = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.')));

export function LocationDialog(given: Given) {
  const t = useTexts(composerTexts);
  const { values, bind } = useFields({ latitude: '', longitude: '', name: '', address: '' });
  const place = {
    latitude: degrees(values.latitude),
    longitude: degrees(values.longitude),
    ...optional('name', values.name),
    ...optional('address', values.address),
  };
  return (
    <SendDialog title={t('location')} name="SendLocation" request={{ body: { ...given.to, ...place } }} given={given}>
      <TextField label={t('latitude')} inputMode="decimal" autoFocus {...bind('latitude')} />
      <TextField label={t('longitude')} inputMode="decimal" {...bind('longitude')} />
      <TextField label={t('placeName')} {...bind('name')} />
      <TextField label={t('address')} {...bind('address')} />
    </SendDialog>
  );
}

export function ContactDialog(given: Given) {
  const t = useTexts(composerTexts);
  const { values, bind } = useFields({ name: '', phone: '', email: '' });
  const contacts = [{ name: values.name, phone: values.phone, ...optional('email', values.email) }];
  const named = (field: 'name' | 'phone' | 'email') => ({ ...bind(field), name: `contacts[0].${field}` });
  return (
    <SendDialog title={t('contact')} name="SendContact" request={{ body: { ...given.to, contacts } }} given={given}>
      <TextField label={t('name')} autoFocus {...named('name')} />
      <TextField label={t('phone')} type="tel" {...named('phone')} />
      <TextField label={t('email')} type="email" {...named('email')} />
    </SendDialog>
  );
}

export function PollDialog(given: Given) {
  const t = useTexts(composerTexts);
  const { values, bind } = useFields({ question: '', options: '', allowMultiple: false });
  const options = values.options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const poll = { question: values.question, options, ...(values.allowMultiple && { allowMultiple: true }) };
  return (
    <SendDialog title={t('poll')} name="SendPoll" request={{ body: { ...given.to, ...poll } }} given={given}>
      <TextField label={t('question')} autoFocus {...bind('question')} />
      <TextArea label={t('options')} hint={t('optionsHint')} {...bind('options')} />
      <Checkbox label={t('multiple')} {...bind('allowMultiple')} />
    </SendDialog>
  );
}
