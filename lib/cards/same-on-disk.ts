/** Returns a text that is the same for paths that are one file on disks that ignore case or the form of Unicode (macOS, Windows). */
export function sameOnDisk(path: string): string {
  return path.normalize('NFC').toLowerCase().normalize('NFC');
}
