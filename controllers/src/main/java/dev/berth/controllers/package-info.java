/** What keeps a cluster as it should be: a package for each controller. */
@NullMarked
package dev.berth.controllers;

import org.jspecify.annotations.NullMarked;
