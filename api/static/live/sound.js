// The sounds of the table, for those who want them: cards that are dealt and played, a trick that is taken, the own turn, and
// the end. They are made here from tones and noise, which takes fewer bytes than one file would and no request.

const VOLUME = 0.08;
const TONES = { turn: [523, 659], trick: [392, 330], end: [392, 494, 587, 784] };
const TONE_S = 0.12;
const NOISES = { card: [0], deal: [0, 0.07, 0.14, 0.21] };
const NOISE_S = 0.05;
const HEARD = { HandDealt: "deal", CardPlayed: "card", TrickTaken: "trick", GameEnded: "end" };

/** @type {AudioContext | null} */
let audio = null;

// Let a fact be heard, if the player wants that.
/**
 * @param {Pick<Api.EventEnvelope, "fact">} fact
 * @param {Pick<Page.Model, "prefs">} model
 */
export function playSound({ fact }, { prefs }) {
  if (prefs.sound && HEARD[fact]) sound(HEARD[fact]);
}

// Play a sound by its name. A browser that doesn't let pages sound before a click stays silent.
export function sound(name) {
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume().catch(() => {});
  TONES[name]?.forEach((hertz, place) => tone(hertz, audio.currentTime + place * TONE_S));
  NOISES[name]?.forEach((after) => noise(audio.currentTime + after));
}

// Say that it's the player's turn.
export const chime = () => sound("turn");

function tone(hertz, start) {
  const source = audio.createOscillator();
  source.frequency.value = hertz;
  faded(source, start, TONE_S, VOLUME);
}

// A card on the felt: noise that fades at once, without its highest part.
function noise(start) {
  const length = Math.ceil(audio.sampleRate * NOISE_S);
  const samples = audio.createBuffer(1, length, audio.sampleRate);
  samples.copyToChannel(Float32Array.from({ length }, () => Math.random() * 2 - 1), 0);
  const source = audio.createBufferSource();
  const dull = audio.createBiquadFilter();
  source.buffer = samples;
  dull.frequency.value = 1800;
  faded(source, start, NOISE_S, VOLUME * 2, dull);
}

function faded(source, start, length, loudness, through = null) {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(loudness, start);
  volume.gain.linearRampToValueAtTime(0, start + length);
  (through ? source.connect(through) : source).connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}
