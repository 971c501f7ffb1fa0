/** The project that opens with the cursor in the message of its first run. */
let waiting: string | undefined;

/** Lets the next page of this project open with the cursor in the message of its first run. */
export function expectFirstMessage(project: string): void {
  waiting = project;
}

/** True until the message of this project has got the cursor. */
export function awaitsFirstMessage(project: string): boolean {
  return waiting === project;
}

/** The message has got the cursor. */
export function beginFirstMessage(): void {
  waiting = undefined;
}
