import { useAsk } from '../api/asking.ts';
import type { AnswerOf } from '../api/operations.ts';
import { Select } from '../kit/fields.tsx';
import { isolated } from '../language/isolated.ts';
import { useTexts } from '../language/language.tsx';
import { reading } from '../session/readings.ts';
import { texts } from './texts.ts';

type Profile = AnswerOf<'ListProfiles'>['items'][number];

/** The profiles that who is signed in may see, for choosing among them: read once for all who ask. */
export const allProfiles = reading('ListProfiles', { query: { limit: 200 } }, 'profile:read');

export const useProfiles = (when = true): readonly Profile[] =>
  useAsk(allProfiles.name, allProfiles.given, { when }).data?.items ?? [];

/** Whether they are read for the first time. */
export const useProfilesAwaited = (): boolean => useAsk(allProfiles.name, allProfiles.given).isLoading;

/** Number of a profile, or its name alone. */
export const profileLabel = ({ name, phoneNumber }: Profile): string =>
  phoneNumber === null ? name : `${isolated(name)} (+${phoneNumber})`;

interface Given {
  readonly name: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** An empty value stands for all of them. */
  readonly withAll?: boolean;
}

/** Combobox *Profile*. */
export function ProfileSelect({ withAll = false, value, onValue, name }: Given) {
  const t = useTexts(texts);
  const profiles = useProfiles();
  return (
    <Select
      label={t('profile')}
      name={name}
      value={value}
      onValue={onValue}
      choices={[
        ...(withAll || value === '' ? [{ value: '', label: withAll ? t('all') : '' }] : []),
        ...profiles.map((profile) => ({ value: profile.id, label: profileLabel(profile) })),
      ]}
    />
  );
}
