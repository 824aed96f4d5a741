import { Checkboxes } from '../../kit/fields.tsx';
import { useTexts } from '../../language/language.tsx';
import { profileLabel, useProfiles } from '../../profiles/profile-select.tsx';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly name: string;
  readonly value: readonly string[];
  readonly onValue: (value: readonly string[]) => void;
}

/** Profiles that something is for; none chosen: all. */
export function ProfileChoices(bound: Given) {
  const t = useTexts(texts);
  const may = useMay();
  const profiles = useProfiles(may('profile:read'));
  if (profiles.length === 0) return null;
  return (
    <Checkboxes
      label={t('profiles')}
      hint={t('profilesHint')}
      choices={profiles.map((profile) => ({ value: profile.id, label: profileLabel(profile) }))}
      {...bound}
    />
  );
}

/** As the API takes them. */
export const profilesOr = (ids: readonly string[]): string[] | null => (ids.length === 0 ? null : [...ids]);
