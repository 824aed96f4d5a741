import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { Form, ShowAsCurl } from '../../kit/form.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

type Hit = AnswerOf<'SearchKnowledge'>['items'][number];

/** What is found of a question, and how well it fits. */
export function SearchCard({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ query: '' });
  const { write, problem, isBusy } = useWrite('SearchKnowledge');
  const [found, setFound] = useState<readonly Hit[]>();
  const request = { params: { profileId }, body: { query: values.query } };
  return (
    <Card title={t('search')}>
      <Form problem={problem} onSubmit={async () => setFound((await write(request))?.answer.items)}>
        <TextField label={t('question')} dir="auto" {...bind('query')} />
        <ShowAsCurl name="SearchKnowledge" request={request} />
        <div>
          <Button type="submit" icon="search" busy={isBusy}>
            {t('find')}
          </Button>
        </div>
      </Form>
      {found && (
        <div role="status" aria-label={t('hits')}>
          {found.length === 0 ? <p>{t('nothing')}</p> : <Hits hits={found} />}
        </div>
      )}
    </Card>
  );
}

function Hits({ hits }: { readonly hits: readonly Hit[] }) {
  const t = useTexts(texts);
  return (
    <ol className="grid gap-2">
      {hits.map(({ documentId, documentName, content, score }) => (
        <li key={`${documentId} ${content}`} className="grid gap-1 rounded-lg bg-sunken p-3">
          <p className="flex flex-wrap justify-between gap-2">
            <bdi className="font-medium">{documentName}</bdi>
            <span className="text-muted">{t('score', { score: score.toFixed(3) })}</span>
          </p>
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {content}
          </p>
        </li>
      ))}
    </ol>
  );
}

/** What AI would answer by the knowledge of the profile. */
export function SuggestCard({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ message: '' });
  const { write, problem, isBusy } = useWrite('SuggestReply', 'GetAiStatus');
  const [suggested, setSuggested] = useState<AnswerOf<'SuggestReply'>>();
  const request = { body: { profileId, message: values.message } };
  return (
    <Card title={t('suggest')}>
      <p className="text-muted">{t('suggestText')}</p>
      <Form problem={problem} onSubmit={async () => setSuggested((await write(request))?.answer)}>
        <TextArea label={t('written')} rows={2} dir="auto" {...bind('message')} />
        <ShowAsCurl name="SuggestReply" request={request} />
        <div>
          <Button type="submit" icon="ai" busy={isBusy}>
            {t('askAi')}
          </Button>
        </div>
      </Form>
      {suggested && (
        <div role="status" aria-label={t('answer')} className="grid gap-2">
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {suggested.reply}
          </p>
          <p className="text-muted">{t('tokens', { count: suggested.usage.totalTokens })}</p>
          <Hits hits={suggested.citations} />
        </div>
      )}
    </Card>
  );
}
