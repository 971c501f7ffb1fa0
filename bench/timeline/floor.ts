import { type Frames, measureFrames } from './frames';
import { type BenchPage, openContext } from './page';

/** Measures a bare canvas of the size of the bars in the same browser: fill one image buffer, hand it over, nothing else. */
export async function measureFloor(bench: BenchPage, frames: number): Promise<Frames> {
  const context = await openContext(bench);
  const page = await context.newPage();
  await page.setContent('<body style="margin:0"><canvas width="1180" height="800"></canvas>');
  await page.evaluate(() => {
    const pen = document.querySelector('canvas')?.getContext('2d', { alpha: false });
    const image = new ImageData(1180, 800);
    const pixels = new Uint32Array(image.data.buffer);
    Reflect.set(window, 'floorStep', (frame: number) => {
      pixels.fill(0xff000000 + frame * 4);
      pen?.putImageData(image, 0, 0);
    });
  });
  const floor = await measureFrames(bench.browser, page, frames, 'window.floorStep(frame)');
  await context.close();
  return floor;
}
