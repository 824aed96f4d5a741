import { useState } from 'react';
import { useReread, useWrite } from '../../api/asking.ts';
import type { RequestOf } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { uploadTo } from '../../api/upload.ts';
import { Field, Radios, Select, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { commonWords } from '../../words/common.ts';
import { texts } from './texts.ts';

type Source = 'text' | 'file' | 'url';
type Language = NonNullable<RequestOf<'IngestKnowledgeText'>['body']['language']>;
/** Those in whose forms words are found most often here; any other text goes as `simple`. */
const languages = [
  'simple',
  'english',
  'indonesian',
  'arabic',
  'dutch',
  'french',
  'german',
  'hindi',
  'italian',
  'portuguese',
  'russian',
  'spanish',
  'turkish',
] as const satisfies readonly Language[];

interface Values {
  readonly source: Source;
  readonly name: string;
  readonly language: Language;
  readonly content: string;
  readonly url: string;
}

interface Given {
  readonly profileId: string;
  readonly onClose: () => void;
}

/** A file on its way into the knowledge. */
function useFileIngest(profileId: string) {
  const reread = useReread();
  const [part, setPart] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const ingest = async (fields: Readonly<Record<string, string | File>>) => {
    setProblem(undefined);
    setPart(0);
    try {
      const { signal } = new AbortController();
      const answer = await uploadTo('IngestKnowledgeFile', { params: { profileId } }, fields, {
        onProgress: setPart,
        signal,
      });
      reread('ListKnowledge', 'SearchKnowledge');
      return { answer };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
      return undefined;
    } finally {
      setPart(undefined);
    }
  };
  return { ingest, part, problem };
}

/** Adds a text, a file or a page to the knowledge of a profile. */
export function AddKnowledgeDialog({ profileId, onClose }: Given) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const say = useSay();
  const { values, bind } = useFields<Values>({
    source: 'text',
    name: '',
    language: 'simple',
    content: '',
    url: '',
  });
  const [file, setFile] = useState(() => new File([], ''));
  const byText = useWrite('IngestKnowledgeText', 'ListKnowledge');
  const byUrl = useWrite('IngestKnowledgeUrl', 'ListKnowledge');
  const byFile = useFileIngest(profileId);
  const { source, name, language, content, url } = values;
  const params = { profileId };
  const named = name === '' ? {} : { name };
  const textRequest = { params, body: { name, language, content } };
  const urlRequest = { params, body: { ...named, language, url } };
  const fields: Readonly<Record<string, string | File>> = { ...(name !== '' && { name }), language, file };
  const submit = async () => {
    const made = await {
      text: () => byText.write(textRequest),
      url: () => byUrl.write(urlRequest),
      file: () => byFile.ingest(fields),
    }[source]();
    if (made === undefined) return;
    say(t('added', { name: made.answer.name }));
    onClose();
  };
  const dialog = {
    title: t('add'),
    submit: t('addIt'),
    onClose,
    onSubmit: submit,
    problem: { text: byText, url: byUrl, file: byFile }[source].problem,
    isBusy: byText.isBusy || byUrl.isBusy || byFile.part !== undefined,
  };
  const children = (
    <>
      <Radios
        label={t('source')}
        {...bind('source')}
        choices={(['text', 'file', 'url'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <TextField label={source === 'text' ? common('name') : t('nameOptional')} {...bind('name')} />
      {source === 'text' && <TextArea label={t('text')} rows={8} dir="auto" {...bind('content')} />}
      {source === 'url' && <TextField label={t('url')} type="url" dir="ltr" {...bind('url')} />}
      {source === 'file' && (
        <Field label={t('file')} name="file" hint={t('fileHint')}>
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              className="input"
              accept=".pdf,.docx,.html,.htm,.md,.csv,.txt"
              onChange={({ target }) => setFile(target.files?.[0] ?? new File([], ''))}
            />
          )}
        </Field>
      )}
      {byFile.part !== undefined && (
        <progress aria-label={t('uploading')} className="h-2 w-full accent-accent" max={1} value={byFile.part} />
      )}
      <Select
        label={t('language')}
        hint={t('languageHint')}
        {...bind('language')}
        choices={languages.map((value) => ({ value, label: value }))}
      />
    </>
  );
  if (source === 'text')
    return (
      <FormDialog {...dialog} curl={{ name: 'IngestKnowledgeText', request: textRequest }}>
        {children}
      </FormDialog>
    );
  if (source === 'url')
    return (
      <FormDialog {...dialog} curl={{ name: 'IngestKnowledgeUrl', request: urlRequest }}>
        {children}
      </FormDialog>
    );
  const request = { params, body: fields as unknown as RequestOf<'IngestKnowledgeFile'>['body'] };
  return (
    <FormDialog {...dialog} curl={{ name: 'IngestKnowledgeFile', request }}>
      {children}
    </FormDialog>
  );
}
