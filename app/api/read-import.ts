import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { displayName } from '@/lib/base/display-name';
import { recordOf } from '@/lib/base/record-of';
import type { Folder } from '@/lib/cards/folder';
import { unwrapFolder } from '@/lib/cards/project/unwrap-folder';
import { folderFromFiles } from '@/lib/server/folders/import-folder';
import { readZip } from '@/lib/server/projects';
import { unknownSentence } from './known-fields';
import { checkInput, checkJson, readBytes } from './read-body';

export const projectName = displayName.min(1, 'Give the project a name.').max(200, 'At most 200 characters.');

/** A file in JSON: its text, or its bytes if it is not text. */
export const jsonFile = z.union([
  z
    .string()
    .refine((text) => !/\p{Surrogate}/u.test(text), 'The text holds half a character. Send its bytes as base64.'),
  z.strictObject({ base64: z.base64() }),
]);

const jsonImport = z.strictObject({
  name: projectName.optional(),
  /** The kind of project that the server creates instead of reading files. */
  template: z.literal('blank').optional(),
  files: recordOf(jsonFile).default({}),
});

export interface Import {
  readonly name: string | undefined;
  /** Empty if a template was requested. */
  readonly folder: Folder;
  readonly template?: 'blank' | undefined;
}

export const importQuery = z.object({ name: z.string().optional() });

/**
 * Reads a folder in one of three forms: JSON (`{name, files}` or `{name, template: "blank"}`), a zip (`application/zip`,
 * `?name=`), or a form with the files and, beside them, `name` and `paths` (a JSON list in the order of the files; without
 * it each file's own name is its path).
 */
export async function readImport(request: Request, named: string | undefined): Promise<Import> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  const bytes = await readBytes(request);
  switch (type) {
    case 'application/json': {
      const { name, files, template } = checkJson(bytes, jsonImport);
      if (template !== undefined && Object.keys(files).length > 0) {
        throw new AppError('bad_request', 'template: comes in place of files. Send one of them.');
      }
      return {
        template,
        name: name ?? named,
        folder: folderFromFiles(Object.entries(files).map(([path, f]) => [path, fileBytes(f)])),
      };
    }
    case 'application/zip':
    case 'application/x-zip-compressed':
      return readZipped('The zip', named, bytes);
    case 'multipart/form-data':
      return readForm(bytes, request.headers.get('content-type') ?? '', named);
    default:
      throw new AppError('unsupported', 'Send application/json, application/zip or multipart/form-data.');
  }
}

function fileBytes(file: z.infer<typeof jsonFile>): Uint8Array {
  return typeof file === 'string' ? new TextEncoder().encode(file) : Buffer.from(file.base64, 'base64');
}

/** Reads a zip. `what` names the zip in an error. */
async function readZipped(what: string, name: string | undefined, bytes: Uint8Array): Promise<Import> {
  const { folder, wrapper } = unwrapFolder(await readZip(bytes));
  if (folder.size === 0) {
    throw new AppError(
      'bad_request',
      `${what} has no files of a project. Put the folder with its files into a zip and import that.`,
    );
  }
  return { name: name ?? wrapper, folder };
}

const formFields: readonly string[] = ['name', 'files', 'paths'];

async function readForm(bytes: Uint8Array<ArrayBuffer>, type: string, named: string | undefined): Promise<Import> {
  const form = await parseForm(bytes, type);
  const unknown = [...form.keys()].find((name) => !formFields.includes(name));
  if (unknown !== undefined) throw new AppError('bad_request', unknownSentence('field', unknown, formFields));
  const given = form.get('name');
  const name = typeof given === 'string' && given !== '' ? checkInput(given, projectName) : named;
  const files = form.getAll('files').filter((part) => typeof part !== 'string');
  if (files.length === 0) throw new AppError('bad_request', 'files: the form has no file. Add at least one.');
  const paths = form.get('paths');
  if (typeof paths !== 'string') {
    const [only] = files;
    if (files.length === 1 && only?.name.toLowerCase().endsWith('.zip')) {
      const zip = new Uint8Array(await only.arrayBuffer());
      return readZipped(`"${only.name}"`, name ?? only.name.slice(0, -4), zip);
    }
  }
  const listed =
    typeof paths === 'string' ? checkJson(new TextEncoder().encode(paths), z.array(z.string())) : undefined;
  if (listed && listed.length !== files.length) {
    throw new AppError(
      'bad_request',
      `paths: names ${listed.length} files, but ${files.length} came. Send one path per file.`,
    );
  }
  const entries = await Promise.all(
    files.map(async (file, index) => [listed?.[index] ?? file.name, new Uint8Array(await file.arrayBuffer())] as const),
  );
  return { name, folder: folderFromFiles(entries) };
}

async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw new AppError('bad_request', 'The form could not be read. Send multipart/form-data with its boundary.');
  }
}
