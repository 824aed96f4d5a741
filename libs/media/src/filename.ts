/** Characters of a name in percent-encoding: metadata of an object store hold 2 KiB, and clients take headers not much longer. */
const most = 1_800;
const endingForm = /\.\w{1,16}$/;

/** The name of a file as headers can hold it: well-formed, without control characters, and cut before its ending where it is too long. */
export function keptFilename(filename: string): string {
  const name = filename.toWellFormed().replaceAll(/\p{Cc}/gu, '');
  if (encodeURIComponent(name).length <= most) return name;
  const ending = endingForm.exec(name)?.[0] ?? '';
  let kept = '';
  let left = most - ending.length;
  for (const character of name.slice(0, name.length - ending.length)) {
    left -= encodeURIComponent(character).length;
    if (left < 0) break;
    kept += character;
  }
  return kept + ending;
}
