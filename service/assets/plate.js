// The plate as an input: draws typed characters into its 17 slots, shows the free check's findings, and marks
// characters that cannot be right.
'use strict';

/** Digits that were likely meant by letters that no VIN has, as the service reads them. */
const LIKELY = { I: '1', O: '0', Q: '0' };
const SEPARATORS = /[\s.\-\u2010-\u2015\u2212]/g;
const BEFORE_ASKING_MS = 200;

const upper = (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

class Plate {
  constructor(root) {
    this.root = root;
    this.box = root.querySelector('input');
    this.slots = [...root.querySelectorAll('.slots b')];
    this.reading = document.getElementById('vin-reading');
    this.empty = this.reading.textContent;
    /** Answers by question. */
    this.known = new Map();
    this.box.addEventListener('input', (event) => {
      if (!event.isComposing) this.typed();
    });
    this.box.addEventListener('compositionend', () => this.typed());
    this.draw();
    if (this.box.value !== '') void this.ask();
  }

  typed() {
    const { value, selectionStart } = this.box;
    const tidy = value.replace(SEPARATORS, '');
    if (tidy !== value) {
      const at = value.slice(0, selectionStart).replace(SEPARATORS, '').length;
      this.box.value = tidy;
      this.box.setSelectionRange(at, at);
    }
    document.getElementById('vin-fault').replaceChildren();
    this.draw();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.ask(), BEFORE_ASKING_MS);
  }

  /** The text as it is drawn; undefined: it does not fit into the slots, and the box shows it plainly. */
  get text() {
    const text = upper(this.box.value);
    return /^[\x21-\x7e]{0,17}$/.test(text) ? text : undefined;
  }

  draw(changes = []) {
    const { text } = this;
    this.root.classList.toggle('is-plate', text !== undefined);
    const characters = text ?? '';
    for (const [index, slot] of this.slots.entries()) {
      const character = characters[index] ?? '';
      slot.textContent = character;
      const isWrong = character !== '' && (!/[A-HJ-NPR-Z0-9]/.test(character) || changes.includes(index + 1));
      slot.classList.toggle('wrong', isWrong);
    }
    this.say();
  }

  /** Asks for the makes and years of the first three characters, of ten, or of all. */
  async ask() {
    const { text } = this;
    if (text === undefined) return;
    const asked = text.length >= 17 ? text : text.slice(0, text.length >= 10 ? 10 : 3);
    if (asked.length < 3 || (asked.length < 17 && !/^[A-HJ-NPR-Z0-9]+$/.test(asked))) return;
    if (!this.known.has(asked)) {
      const response = await fetch(`/api/vin/${encodeURIComponent(asked)}`).catch(() => undefined);
      // The answer is a help: without it the plate works as before.
      if (!response?.ok) return;
      this.known.set(asked, await response.json());
    }
    if (this.text !== text) return;
    const { suggestions: [likeliest] = [], checkDigit } = this.known.get(asked);
    const isWrong = checkDigit?.required && !checkDigit.matches;
    const changed = likeliest?.changes.filter(({ from }) => from.length === 1).map(({ position }) => position) ?? [];
    this.draw(changed.length > 0 ? changed : isWrong ? [9] : []);
  }

  /** Returns the answer for the text so far. */
  get answer() {
    const { text = '' } = this;
    for (const length of [17, 10, 3]) {
      const answer = text.length >= length && this.known.get(text.slice(0, length));
      if (answer) return answer;
    }
    return {};
  }

  say() {
    const { text } = this;
    const said = [];
    const add = (kind, words) => {
      const part = document.createElement('span');
      part.className = kind;
      part.textContent = words;
      said.push(part);
    };
    const { makes = [], region, modelYear, suggestions = [], checkDigit } = this.answer;
    const names = makes.length > 4 ? `${makes.slice(0, 3).join(', ')} and others` : makes.join(' or ');
    if (region) add('wmi', `${names || 'Unknown maker'}, ${region}`);
    if (modelYear) add('year', `Model year ${modelYear}`);
    if (text === '') add('soft', this.empty);
    else if (text === undefined) add('soft', 'A VIN has 17 letters and digits');
    else if (text.length < 17) add('soft', `${17 - text.length} to go`);
    const wrong = [...(text ?? '')].findIndex((character) => !/[A-HJ-NPR-Z0-9]/.test(character));
    if (wrong !== -1) this.addFix(said, wrong);
    else if (suggestions.length > 0) this.addSuggestion(said, suggestions[0].vin);
    else if (checkDigit?.required && !checkDigit.matches) {
      add('bad', `The check digit should be ${checkDigit.expected}: one character is wrong`);
    } else if (checkDigit?.matches) add('check', 'Check digit matches');
    this.reading.replaceChildren(...said);
  }

  addFix(said, index) {
    const found = this.text[index];
    const likely = LIKELY[found];
    const says = document.createElement('span');
    says.className = 'bad';
    says.textContent = `Position ${index + 1}: a VIN has no ${found}`;
    said.push(says);
    if (likely === undefined) return;
    const { box } = this;
    said.push(
      this.button(`Use ${likely}`, () => {
        const at = index + 1;
        this.fill(box.value.slice(0, index) + likely + box.value.slice(at));
        box.setSelectionRange(box.value.length, box.value.length);
      }),
    );
  }

  addSuggestion(said, vin) {
    const says = document.createElement('span');
    says.className = 'bad';
    says.textContent = 'Did you mean';
    const button = this.button(vin, () => this.fill(vin));
    button.classList.add('mono');
    said.push(says, button);
  }

  button(label, act) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'small';
    button.textContent = label;
    button.addEventListener('click', act);
    return button;
  }

  fill(text) {
    this.box.value = text;
    this.box.focus();
    this.typed();
  }
}

Array.from(document.querySelectorAll('[data-plate]'), (root) => new Plate(root));

/** The reader of codes is loaded when somebody asks for it; then the button is pressed again. */
for (const root of document.querySelectorAll('[data-scan]')) {
  root.hidden = false;
  root.querySelector('[data-scan-camera]').hidden = navigator.mediaDevices === undefined;
  const load = (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    const script = document.createElement('script');
    script.src = root.dataset.script;
    script.addEventListener('load', () => button.click());
    script.addEventListener('error', () => {
      root.querySelector('[data-scan-status]').textContent =
        'The code reader could not be loaded. Check your connection, then try again.';
      root.addEventListener('click', load, { once: true });
    });
    document.head.append(script);
  };
  root.addEventListener('click', load, { once: true });
}
