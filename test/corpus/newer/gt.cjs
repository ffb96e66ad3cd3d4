'use strict';
module.exports = require('../gt.cjs');
