import { useWrite } from '../../api/asking.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTexts } from '../../language/language.tsx';
import { type Contact } from '../../people/contact.ts';
import { wordsIn } from '../../kit/typed.ts';
import { texts as shared } from '../../people/texts.ts';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

/** The tags of a contact, each with a way to take it off. */
export function TagsCard({ contact: { id, tags } }: { readonly contact: Contact }) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const may = useMay();
  const removing = useWrite('RemoveContactTags', 'GetContact', 'ListContacts');
  return (
    <Card title={of('tags')}>
      {removing.problem && <ProblemAlert problem={removing.problem} />}
      {tags.length === 0 ? (
        <p className="text-muted">{t('noTags')}</p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li key={tag} className="flex items-center gap-1 rounded-lg bg-sunken ps-3 wrap-anywhere">
              <bdi>{tag}</bdi>
              {may('contact:update') && (
                <IconButton
                  icon="close"
                  label={t('removeTag', { tag })}
                  onClick={() => void removing.write({ params: { id }, body: { tags: [tag] } })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {may('contact:update') && <AddTags id={id} />}
    </Card>
  );
}

function AddTags({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const { values, bind, set } = useFields({ tags: '' });
  const { write, problem, isBusy } = useWrite('AddContactTags', 'GetContact', 'ListContacts');
  const submit = async () => {
    const tags = wordsIn(values.tags);
    if (tags.length > 0 && (await write({ params: { id }, body: { tags } }))) set({ tags: '' });
  };
  return (
    <Form onSubmit={submit} problem={problem}>
      <TextField label={t('addTags')} hint={of('tagsHint')} {...bind('tags')} />
      <div>
        <Button type="submit" busy={isBusy}>
          {t('add')}
        </Button>
      </div>
    </Form>
  );
}
