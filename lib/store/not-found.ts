import { AppError } from '@/lib/base/app-error';

/* The errors for ids that nothing has. Somebody who may not know of a thing gets the same ones. */

export function noProject(): AppError {
  return new AppError(
    'not_found',
    'There is no such project. It may have been deleted; go back to the list of projects.',
  );
}

export function noDraft(name: string): AppError {
  return new AppError('not_found', `The project has no draft '${name}'. It may have been renamed or deleted.`);
}

export function noRevision(which: number | string): AppError {
  const what = typeof which === 'number' ? `no revision ${which}` : `no revision with the label '${which}'`;
  return new AppError('not_found', `The project has ${what}.`);
}

export function noRun(): AppError {
  return new AppError(
    'not_found',
    'There is no such run. It may have gone with its project; go back to the list of runs.',
  );
}

export function noScore(): AppError {
  return new AppError('not_found', 'There is no such score. Its author may have deleted it.');
}

export function noItem(): AppError {
  return new AppError('not_found', 'There is no such question. It may have gone with its run.');
}

export function noTask(): AppError {
  return new AppError('not_found', 'The answer is no longer kept. Ask again.');
}

export function noGrant(): AppError {
  return new AppError('not_found', 'There is no such remembered approval. It may have been revoked already.');
}

export function noTarget(): AppError {
  return new AppError('not_found', 'This address is not in the list any more.');
}

export function noAlert(): AppError {
  return new AppError('not_found', 'There is no such alert. Somebody may have removed it; load the dashboard again.');
}

export function noMirror(): AppError {
  return new AppError('not_found', 'The project has no mirror. Set its address first.');
}

export function noReview(number: number): AppError {
  return new AppError('not_found', `The project has no review ${number}.`);
}

export function noThread(): AppError {
  return new AppError('not_found', 'The review has no such comment.');
}

export function noTrigger(): AppError {
  return new AppError('not_found', 'There is no such trigger. It may have been deleted.');
}
