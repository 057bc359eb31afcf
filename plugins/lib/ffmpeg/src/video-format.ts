import { PlatenError, type EncodeContext } from '@platen/kernel';
import { ADVICE, FFMPEG, type Ffmpeg } from '@platen/lib-ffmpeg-host';
import type { FrameSequence } from './frame-sequence.js';

/** An ffmpeg encoder that can produce a format. */
export interface VideoCodec {
  /** ffmpeg's name of the encoder: `libx264`. */
  readonly encoder: string;
  /** ffmpeg filters, in order, that convert the stream's frames to the encoder's input. */
  filters(video: FrameSequence): readonly string[];
  /** ffmpeg arguments of the encoder. */
  options(video: FrameSequence): readonly string[];
}

/** An output type that ffmpeg produces. */
export interface VideoFormat {
  readonly type: string;
  /** ffmpeg's name of the container. */
  readonly muxer: string;
  /** ffmpeg arguments of the container. */
  muxerOptions?(video: FrameSequence): readonly string[];
  /** The first encoder that this host's ffmpeg has is used. */
  readonly codecs: readonly [VideoCodec, ...VideoCodec[]];
}

/** A format with the encoder that this host supports. */
export interface ReadyFormat {
  readonly ffmpeg: Ffmpeg;
  readonly format: VideoFormat;
  readonly codec: VideoCodec;
}

/** Rejects with `feature_unavailable`, which says what to install, if this host's ffmpeg cannot produce the format. */
export async function openFormat(format: VideoFormat, context: Pick<EncodeContext, 'get'>): Promise<ReadyFormat> {
  const source = context.get(FFMPEG);
  if (source === undefined) throw new PlatenError('internal', 'the plugin "ffmpeg" is missing');
  const ffmpeg = await source();
  const codec = format.codecs.find(({ encoder }) => ffmpeg.encoders.has(encoder));
  if (codec !== undefined && ffmpeg.muxers.has(format.muxer)) return { ffmpeg, format, codec };
  const encoders = format.codecs.map(({ encoder }) => encoder).join(' or ');
  const needs = `the output type "${format.type}" needs an ffmpeg with the encoder ${encoders} and the container ${format.muxer}`;
  throw new PlatenError(
    'feature_unavailable',
    `${needs}, and the installed ffmpeg (${ffmpeg.version}) lacks at least one of them: ${ADVICE}`,
  );
}

/** For `beforeOpen`: an unsupported video format is reported before a browser starts. */
export async function requireFormat(format: VideoFormat, context: Pick<EncodeContext, 'get' | 'plan'>): Promise<void> {
  if (context.plan.capture.kind === 'frames') await openFormat(format, context);
}

/** ffmpeg arguments of an output in this format, without its filters. */
export function formatArguments({ format, codec }: ReadyFormat, video: FrameSequence): readonly string[] {
  return ['-c:v', codec.encoder, ...codec.options(video), ...(format.muxerOptions?.(video) ?? []), '-f', format.muxer];
}
