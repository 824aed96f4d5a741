import { useState, type ReactNode } from 'react';
import { useAsk } from '../api/asking.ts';
import type { AnswerOf } from '../api/operations.ts';
import { PageLink } from '../kit/link.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { Empty } from '../kit/page.tsx';
import { useTexts } from '../language/language.tsx';
import { allProfiles, ProfileSelect } from './profile-select.tsx';
import { texts } from './texts.ts';

interface Chosen {
  /** Empty while none is known. */
  readonly id: string;
  readonly choose: (id: string) => void;
  readonly asked: ReturnType<typeof useAsk<'ListProfiles'>>;
}

/** The profile whose things a page shows: the first one, until another is chosen. */
export function useChosenProfile(): Chosen {
  const asked = useAsk(allProfiles.name, allProfiles.given);
  const [chosen, choose] = useState('');
  const known: AnswerOf<'ListProfiles'>['items'] = asked.data?.items ?? [];
  const id = known.some((profile) => profile.id === chosen) ? chosen : (known[0]?.id ?? '');
  return { id, choose, asked };
}

/** Combobox *Profile* above what is of one profile; where there is none, the way to one. */
export function ChosenProfile({ chosen, children }: { readonly chosen: Chosen; readonly children: ReactNode }) {
  const t = useTexts(texts);
  return (
    <Loaded of={chosen.asked}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon="profiles" title={t('none')} action={<PageLink to="/profiles">{t('toProfiles')}</PageLink>}>
            {t('noneText')}
          </Empty>
        ) : (
          <>
            <div className="max-w-72">
              <ProfileSelect name="profileId" value={chosen.id} onValue={chosen.choose} />
            </div>
            {children}
          </>
        )
      }
    </Loaded>
  );
}
