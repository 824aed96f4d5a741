import { useEffect, useState, useSyncExternalStore } from 'react';
import { useReread } from '../../api/asking.ts';
import { Problem } from '../../api/problem.ts';
import { Counts, LineErrors } from '../../imports/errors.tsx';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { ImportRun, type Progress } from './import-run.ts';
import { texts } from './texts.ts';

/** The import of this tab. */
const run = new ImportRun();

export function PageContent() {
  const t = useTexts(texts);
  const reread = useReread();
  const [file, setFile] = useState<File>();
  const [profileId, setProfileId] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const progress = useSyncExternalStore(run.follow, () => run.progress);
  const isRunning = ['running', 'stopping'].includes(progress.state);
  useEffect(() => {
    if (progress.share > 0) reread('ListContacts');
  }, [progress.share, reread]);
  const submit = async () => {
    if (isRunning) return;
    if (file === undefined) {
      const details = [{ path: 'file', message: t('noFile') }];
      return setProblem(new Problem(t('noFile'), { kind: 'refused', status: 400, details }));
    }
    setProblem(undefined);
    await run.start(file, profileId);
  };
  return (
    <Page title={t('title')} above={<PageLink to="/contacts">{t('above')}</PageLink>}>
      <section className="card">
        <Form onSubmit={submit} problem={problem}>
          <Field label={t('file')} name="file" hint={t('fileHint')}>
            {(attributes) => (
              <input
                {...attributes}
                type="file"
                accept=".csv,text/csv,text/plain"
                className="input"
                onChange={({ target }) => setFile(target.files?.[0])}
              />
            )}
          </Field>
          <ProfileSelect withAll name="profileId" value={profileId} onValue={setProfileId} />
          <p className="text-muted">{t('into')}</p>
          <div>
            <Button type="submit" kind="primary" icon="upload" busy={isRunning}>
              {t('submit')}
            </Button>
          </div>
        </Form>
      </section>
      {progress.state !== 'none' && <Outcome progress={progress} isRunning={isRunning} />}
    </Page>
  );
}

function Outcome({ progress, isRunning }: { readonly progress: Progress; readonly isRunning: boolean }) {
  const t = useTexts(texts);
  const { state, share, problem } = progress;
  return (
    <section className="card grid gap-3">
      <progress
        aria-label={t('submit')}
        className="h-2 w-full accent-accent"
        max={100}
        value={Math.floor(share * 100)}
      />
      <Counts {...progress} />
      {state === 'stopping' && <p className="text-muted">{t('stopping')}</p>}
      {state === 'done' && <p>{t('done')}</p>}
      {state === 'cancelled' && <p>{t('cancelled')}</p>}
      {problem && <ProblemAlert problem={problem} />}
      <div className="flex flex-wrap gap-2">
        {state === 'broken' && (
          <Button kind="primary" icon="play" onClick={() => void run.resume()}>
            {t('resume')}
          </Button>
        )}
        {(isRunning || state === 'broken') && (
          <Button busy={state === 'stopping'} onClick={() => run.cancel()}>
            {t('cancel')}
          </Button>
        )}
      </div>
      <LineErrors errors={progress.errors} />
    </section>
  );
}
