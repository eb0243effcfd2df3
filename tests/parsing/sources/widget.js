'use strict';

const path = require('path');
const { readFile, writeFile: save } = require('node:fs/promises');
require('./polyfill');
import React, { useState, useEffect as effect } from 'react';
import * as theme from './theme.js';
export { colour as tint } from './colours.js';
export * from './shapes.js';

/**
 * Keeps track of widgets.
 * @param {object} options
 */
class Registry extends theme.Base {
  static instance = null;
  #count = 0;
  onChange = (event) => this.notify(event);

  constructor(options = {}, ...rest) {
    super(options);
    this.options = options;
  }

  get size() {
    return this.#count;
  }

  static create(options) {
    return new Registry(options);
  }

  async notify(event) {
    const listeners = await readFile(path.join(event.name, 'list'));
    listeners.forEach(function each(listener) {
      listener.call(this, event);
    });
  }
}

// Draws one widget.
export default function Widget({ title, children }, ref) {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return <Panel onClick={toggle}><theme.Icon name={title} />{children}</Panel>;
}

function* ids(start) {
  yield start;
}

export const area = (width, height) => width * height;
let LIMIT = 10, current;

function Legacy(name) {
  this.name = name;
}
Legacy.prototype.rename = function (name) {
  this.name = name;
};
exports.build = function build(kind) {
  return new Legacy(kind ?? LIMIT);
};
module.exports.handlers = {
  open() {},
  close: function () {},
  reset: () => area(1, 2),
  Legacy,
};
